/* lower.c -- applies lp_lower_assembly() to a module; complains about assembly that is left.
 *
 * usage: lower [--list] IN.ll OUT.ll      --list: that is not an error
 */
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <string.h>

#include "frontend/assembly/lower_assembly.h"

static int complain(LLVMValueRef function, LLVMValueRef instruction)
{
	char why[200];
	size_t length;

	if (!(LLVMIsACallInst(instruction) || LLVMIsACallBrInst(instruction)) ||
	    !LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)))
		return 0;
	lp_assembly_trouble(instruction, why, sizeof why);
	if (!*why)
		return 0;
	printf("%s: %s\n", LLVMGetValueName2(function, &length), why);
	return 1;
}

static int complaints(LLVMModuleRef module)
{
	int count = 0;

	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				count += complain(f, i);
	return count;
}

int main(int argc, char **argv)
{
	const LLVMContextRef context = LLVMContextCreate();
	LLVMMemoryBufferRef buffer;
	LLVMModuleRef module;
	char *error = NULL;
	const bool lists = argc > 1 && !strcmp(argv[1], "--list");

	argc -= lists;
	argv += lists;
	if (argc != 3 || LLVMCreateMemoryBufferWithContentsOfFile(argv[1], &buffer, &error) ||
	    LLVMParseIRInContext(context, buffer, &module, &error)) {
		fprintf(stderr, "%s\n", error ? error : "usage: lower [--list] IN.ll OUT.ll");
		return 2;
	}
	lp_lower_assembly(module);
	if (LLVMVerifyModule(module, LLVMPrintMessageAction, &error))
		return 1;
	if (complaints(module) && !lists)
		return 1;
	return LLVMPrintModuleToFile(module, argv[2], &error) ? 2 : 0;
}
