/* upto.h -- the numbers below N, 1 to 16 of them, as a text for LP_ARGS(): UPTO(3) is "0 1 2".
 *
 * N is a number or a macro that is one.  For any other there is no such name, and the structure
 * does not compile: a parameter is honoured or refused, and never cut.
 */
#ifndef ZOO_PARTS_UPTO_H
#define ZOO_PARTS_UPTO_H

#define UPTO_1 "0"
#define UPTO_2 UPTO_1 " 1"
#define UPTO_3 UPTO_2 " 2"
#define UPTO_4 UPTO_3 " 3"
#define UPTO_5 UPTO_4 " 4"
#define UPTO_6 UPTO_5 " 5"
#define UPTO_7 UPTO_6 " 6"
#define UPTO_8 UPTO_7 " 7"
#define UPTO_9 UPTO_8 " 8"
#define UPTO_10 UPTO_9 " 9"
#define UPTO_11 UPTO_10 " 10"
#define UPTO_12 UPTO_11 " 11"
#define UPTO_13 UPTO_12 " 12"
#define UPTO_14 UPTO_13 " 13"
#define UPTO_15 UPTO_14 " 14"
#define UPTO_16 UPTO_15 " 15"

#define UPTO__(n) UPTO_##n
#define UPTO(n) UPTO__(n)

#endif
