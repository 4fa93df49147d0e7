// wide.cc -- wide characters in memory, as std::wstring needs them.
#include <cstddef>
#include <cwchar>

extern "C" {

size_t wcslen(const wchar_t *text)
{
	size_t size = 0;

	while (text[size])
		size++;
	return size;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t size)
{
	if (to < from)
		for (size_t i = 0; i < size; i++)
			to[i] = from[i];
	else
		for (size_t i = size; i-- > 0;)
			to[i] = from[i];
	return to;
}

wchar_t *wmemcpy(wchar_t *__restrict to, const wchar_t *__restrict from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		to[i] = from[i];
	return to;
}

wchar_t *wmemset(wchar_t *at, wchar_t character, size_t size)
{
	for (size_t i = 0; i < size; i++)
		at[i] = character;
	return at;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

wchar_t *wmemchr(const wchar_t *at, wchar_t character, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (at[i] == character)
			return const_cast<wchar_t *>(at + i);
	return nullptr;
}

} // extern "C"
