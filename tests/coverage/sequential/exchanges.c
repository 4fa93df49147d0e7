/* exchanges.c -- many operations in a row whose order is a variable: their ways are not multiplied. */
#include <stdatomic.h>
static atomic_int x; static int f(memory_order o){int e=0;
atomic_compare_exchange_strong_explicit(&x,&e,0,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,1,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,2,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,3,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,4,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,5,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,6,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,7,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,8,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,9,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,10,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,11,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,12,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,13,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,14,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,15,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,16,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,17,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,18,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,19,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,20,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,21,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,22,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,23,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,24,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,25,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,26,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,27,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,28,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,29,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,30,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,31,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,32,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,33,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,34,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,35,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,36,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,37,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,38,o,memory_order_relaxed);
atomic_compare_exchange_strong_explicit(&x,&e,39,o,memory_order_relaxed);
return e;}
int main(void){return f(memory_order_seq_cst)*0;}
