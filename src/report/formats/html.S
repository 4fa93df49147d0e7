/* html.S -- the sources of the page, as they are: html.c puts them together. */
	.section .rodata

	.macro	text name, file
	.globl	lp_html_\name
	.hidden	lp_html_\name
	.type	lp_html_\name, %object
lp_html_\name:
	.incbin	"report/html/\file"
	.byte	0
	.size	lp_html_\name, . - lp_html_\name
	.endm

	text	page, page.html
	text	style, page.css
	text	common, common.js
	text	client, client.js
	text	graph, graph.js
	text	steps, steps.js
	text	plots, plots.js
	text	coverage, coverage.js
	text	history, history.js
	text	main, main.js

	.section .note.GNU-stack, "", %progbits
