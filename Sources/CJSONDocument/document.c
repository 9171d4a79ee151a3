#include "CJSONDocument.h"
