// containers.cc -- the links of std::list, and of the red-black trees of std::set and std::map.
//
// The trees are those of Cormen, Leiserson and Rivest, "Introduction to Algorithms", chapter 14.  A parameter says
// which side is meant, so that the two symmetric cases share their code.
#include <bits/stl_tree.h>
#include <list>
#include <utility>

// ---- lists ----

namespace std::__detail {

void _List_node_base::_M_hook(_List_node_base *position) noexcept
{
	_M_next = position;
	_M_prev = position->_M_prev;
	position->_M_prev->_M_next = this;
	position->_M_prev = this;
}

void _List_node_base::_M_unhook() noexcept
{
	_List_node_base *const next = _M_next, *const prev = _M_prev;

	prev->_M_next = next;
	next->_M_prev = prev;
}

// Moves [first, last) before this.
void _List_node_base::_M_transfer(_List_node_base *first, _List_node_base *last) noexcept
{
	if (this == last)
		return;
	_List_node_base *const end = last->_M_prev, *const before = first->_M_prev, *const here = _M_prev;
	before->_M_next = last;
	last->_M_prev = before;
	here->_M_next = first;
	first->_M_prev = here;
	end->_M_next = this;
	_M_prev = end;
}

void _List_node_base::_M_reverse() noexcept
{
	_List_node_base *node = this;

	do {
		std::swap(node->_M_next, node->_M_prev);
		node = node->_M_prev; // which was the next one
	} while (node != this);
}

// Gives `to` the nodes from `first` to `last`; they are none if `first` is the end of their list.
static void adopt(_List_node_base *to, _List_node_base *first, _List_node_base *last, _List_node_base *end)
{
	if (first == end)
		first = last = to;
	to->_M_next = first;
	to->_M_prev = last;
	first->_M_prev = to;
	last->_M_next = to;
}

void _List_node_base::swap(_List_node_base &x, _List_node_base &y) noexcept
{
	_List_node_base *const first = x._M_next, *const last = x._M_prev;

	if (&x == &y)
		return;
	adopt(&x, y._M_next, y._M_prev, &y);
	adopt(&y, first, last, &x);
}

} // namespace std::__detail

// ---- trees ----

namespace {

using node = std::_Rb_tree_node_base;
enum side { left, right };

node *&child(node *n, side s) { return s == left ? n->_M_left : n->_M_right; }
side other(side s) { return s == left ? right : left; }
side side_of(node *n) { return n->_M_parent->_M_left == n ? left : right; }
bool is_red(node *n) { return n && n->_M_color == std::_S_red; }

node *outermost(node *n, side s)
{
	while (node *next = child(n, s))
		n = next;
	return n;
}

// `by` takes the place of n below n's parent; the root's is the header.
void replace(node *n, node *by, node &header)
{
	if (header._M_parent == n)
		header._M_parent = by;
	else
		child(n->_M_parent, side_of(n)) = by;
	if (by)
		by->_M_parent = n->_M_parent;
}

// n goes down to side s.
void rotate(node *n, side s, node &header)
{
	node *const up = child(n, other(s)), *const between = child(up, s);

	child(n, other(s)) = between;
	if (between)
		between->_M_parent = n;
	replace(n, up, header);
	child(up, s) = n;
	n->_M_parent = up;
}

void rebalance_insertion(node *n, node &header)
{
	while (n != header._M_parent && is_red(n->_M_parent)) {
		node *parent = n->_M_parent, *const grand = parent->_M_parent;
		const side s = side_of(parent);
		node *const uncle = child(grand, other(s));
		grand->_M_color = std::_S_red;
		if (is_red(uncle)) {
			parent->_M_color = uncle->_M_color = std::_S_black;
			n = grand;
			continue;
		}
		if (side_of(n) != s) {
			rotate(parent, s, header);
			n = parent;
			parent = n->_M_parent;
		}
		parent->_M_color = std::_S_black;
		rotate(grand, other(s), header);
	}
	header._M_parent->_M_color = std::_S_black;
}

// A black node is missing on the way to n, a child of `parent` that may be none.
void rebalance_erasure(node *n, node *parent, node &header)
{
	while (n != header._M_parent && !is_red(n)) {
		const side s = n == parent->_M_left ? left : right;
		node *sibling = child(parent, other(s));
		if (is_red(sibling)) {
			sibling->_M_color = std::_S_black;
			parent->_M_color = std::_S_red;
			rotate(parent, s, header);
			sibling = child(parent, other(s));
		}
		if (!is_red(sibling->_M_left) && !is_red(sibling->_M_right)) {
			sibling->_M_color = std::_S_red;
			n = parent;
			parent = n->_M_parent;
			continue;
		}
		if (!is_red(child(sibling, other(s)))) {
			child(sibling, s)->_M_color = std::_S_black;
			sibling->_M_color = std::_S_red;
			rotate(sibling, other(s), header);
			sibling = child(parent, other(s));
		}
		sibling->_M_color = parent->_M_color;
		parent->_M_color = std::_S_black;
		child(sibling, other(s))->_M_color = std::_S_black;
		rotate(parent, s, header);
		break;
	}
	if (n)
		n->_M_color = std::_S_black;
}

// The next one to side s; the header comes after the last one, and before the first.
node *step(node *n, side s)
{
	if (node *below = child(n, s))
		return outermost(below, other(s));
	node *parent = n->_M_parent;
	while (n == child(parent, s)) {
		n = parent;
		parent = parent->_M_parent;
	}
	return child(n, s) != parent ? parent : n; // unless n is the header, and the root has no child there
}

node *back(node *n)
{
	return n->_M_color == std::_S_red && n->_M_parent->_M_parent == n ? n->_M_right : step(n, left);
}

} // namespace

namespace std {

_Rb_tree_node_base *_Rb_tree_increment(_Rb_tree_node_base *n) throw() { return step(n, right); }
_Rb_tree_node_base *_Rb_tree_decrement(_Rb_tree_node_base *n) throw() { return back(n); }
const _Rb_tree_node_base *_Rb_tree_increment(const _Rb_tree_node_base *n) throw()
{
	return step(const_cast<_Rb_tree_node_base *>(n), right);
}
const _Rb_tree_node_base *_Rb_tree_decrement(const _Rb_tree_node_base *n) throw()
{
	return back(const_cast<_Rb_tree_node_base *>(n));
}

void _Rb_tree_insert_and_rebalance(const bool to_left, _Rb_tree_node_base *n, _Rb_tree_node_base *parent,
				   _Rb_tree_node_base &header) throw()
{
	n->_M_parent = parent;
	n->_M_left = n->_M_right = nullptr;
	n->_M_color = _S_red;
	if (parent == &header)
		header._M_parent = header._M_left = header._M_right = n;
	else {
		const side s = to_left ? left : right;
		child(parent, s) = n;
		if (child(&header, s) == parent)
			child(&header, s) = n;
	}
	rebalance_insertion(n, header);
}

_Rb_tree_node_base *_Rb_tree_rebalance_for_erase(_Rb_tree_node_base *const n, _Rb_tree_node_base &header) throw()
{
	node *below, *parent; // what goes up, and where to
	_Rb_tree_color gone = n->_M_color;

	for (const side s : { left, right })
		if (child(&header, s) == n)
			child(&header, s) = child(n, other(s)) ? outermost(child(n, other(s)), s) : n->_M_parent;
	if (n->_M_left && n->_M_right) {
		node *const next = outermost(n->_M_right, left);
		gone = next->_M_color;
		below = next->_M_right;
		parent = next;
		if (next != n->_M_right) {
			parent = next->_M_parent;
			replace(next, below, header);
			next->_M_right = n->_M_right;
			next->_M_right->_M_parent = next;
		}
		replace(n, next, header);
		next->_M_left = n->_M_left;
		next->_M_left->_M_parent = next;
		next->_M_color = n->_M_color;
	} else {
		below = n->_M_left ? n->_M_left : n->_M_right;
		parent = n->_M_parent;
		replace(n, below, header);
	}
	if (gone == _S_black)
		rebalance_erasure(below, parent, header);
	return n;
}

} // namespace std
