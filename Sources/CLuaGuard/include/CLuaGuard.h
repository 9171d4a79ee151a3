#ifndef CLUAGUARD_H
#define CLUAGUARD_H
#include <CJSONDocument.h>
#endif
