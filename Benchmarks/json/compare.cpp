// Reads one message again and again with simdjson and with the reader of this project, in turns, and prints CPU time
// per message. What simdjson leaves to its caller (literals, duplicate keys, depth) is done here in a walk, so that
// both answer for the same things; it has no place for a fault, which costs nothing on good input.
// Built and run by run.sh.
#include <simdjson.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

extern "C" {
#include "CJSONDocument.h"
}

namespace {

/// What a walk hands to the readers behind it; the same facts as in a jd_node.
struct Value {
    std::string_view key, text, literal;
    int64_t integer;
    double decimal;
    uint32_t span;
    uint16_t key_id;
    uint8_t kind;
};

constexpr int deepest = 64;

uint64_t key_hash(std::string_view key) {
    uint64_t first = 0, last = 0;
    if (key.size() < 8) {
        memcpy(&first, key.data(), key.size());
        last = first;
    } else {
        memcpy(&first, key.data(), 8);
        memcpy(&last, key.data() + key.size() - 8, 8);
    }
    uint64_t mixed = (first ^ (uint64_t(key.size()) << 56)) * 0x9E3779B97F4A7C15u;
    return (mixed ^ (mixed >> 29) ^ last) * 0xBF58476D1CE4E5B9u;
}

struct Vocabulary {
    struct Slot {
        uint64_t hash = 0;
        std::string_view word;
        uint16_t id = 0;
    };
    std::vector<Slot> slots = std::vector<Slot>(256);

    explicit Vocabulary(const std::vector<const char *> &words) {
        uint16_t id = 0;
        for (std::string_view word : words) {
            uint64_t hash = key_hash(word);
            size_t at = hash >> 56;
            while (slots[at].id) at = (at + 1) % slots.size();
            slots[at] = {hash, word, ++id};
        }
    }
    uint16_t find(std::string_view key, uint64_t hash) const {
        for (size_t at = hash >> 56; slots[at].id; at = (at + 1) % slots.size()) {
            if (slots[at].hash == hash && slots[at].word == key) return slots[at].id;
        }
        return 0;
    }
};

/// Duplicate keys of one object: pairwise by hash, behind a 64-bit filter.
struct Keys {
    std::vector<uint64_t> hashes;
    size_t duplicates = 0;

    void close(size_t first) {
        uint64_t seen = 0;
        for (size_t i = first; i < hashes.size(); i++) {
            uint64_t bit = uint64_t(1) << (hashes[i] >> 58);
            if (seen & bit) {
                for (size_t j = first; j < i; j++) duplicates += hashes[i] == hashes[j];
            }
            seen |= bit;
        }
        hashes.resize(first);
    }
};

class Walk {
public:
    explicit Walk(const Vocabulary &words) : words(words) {}
    std::vector<Value> values;
    Keys keys;
    bool good = true;

    void reset() {
        values.clear();
        keys.hashes.clear();
        good = true;
    }

    void dom(simdjson::dom::element value, int depth = 0) {
        using Type = simdjson::dom::element_type;
        if (depth > deepest) {
            good = false;
            return;
        }
        size_t place = begin();
        switch (value.type()) {
        case Type::OBJECT: {
            size_t first = keys.hashes.size();
            for (auto field : simdjson::dom::object(value)) {
                named(field.key);
                dom(field.value, depth + 1);
            }
            keys.close(first);
            end(place, JD_OBJECT);
            break;
        }
        case Type::ARRAY:
            for (auto element : simdjson::dom::array(value)) dom(element, depth + 1);
            end(place, JD_ARRAY);
            break;
        case Type::STRING:
            values[place].text = std::string_view(value);
            end(place, JD_STRING);
            break;
        case Type::INT64:
            values[place].integer = int64_t(value);
            end(place, JD_INTEGER);
            break;
        case Type::UINT64:
            values[place].decimal = double(uint64_t(value));
            end(place, JD_DECIMAL);
            break;
        case Type::DOUBLE:
            values[place].decimal = double(value);
            end(place, JD_DECIMAL);
            break;
        case Type::BOOL: end(place, bool(value) ? JD_TRUE : JD_FALSE); break;
        case Type::NULL_VALUE: end(place, JD_NULL); break;
        }
    }

    template <class Any> void on_demand(Any value, int depth = 0) {
        using Type = simdjson::ondemand::json_type;
        if (depth > deepest) {
            good = false;
            return;
        }
        size_t place = begin();
        switch (value.type()) {
        case Type::object: {
            size_t first = keys.hashes.size();
            simdjson::ondemand::object object = value.get_object();
            for (auto field : object) {
                std::string_view key = field.unescaped_key();
                named(key);
                on_demand(field.value().value(), depth + 1);
            }
            keys.close(first);
            end(place, JD_OBJECT);
            break;
        }
        case Type::array: {
            simdjson::ondemand::array array = value.get_array();
            for (auto element : array) on_demand(element.value(), depth + 1);
            end(place, JD_ARRAY);
            break;
        }
        case Type::string:
            values[place].text = std::string_view(value.get_string());
            end(place, JD_STRING);
            break;
        case Type::number: {
            std::string_view literal = value.raw_json_token();
            values[place].literal = literal;
            if (literal.find_first_of(".eE") == literal.npos && literal.size() < 19) {
                values[place].integer = int64_t(value.get_int64());
                end(place, JD_INTEGER);
            } else {
                values[place].decimal = double(value.get_double());
                end(place, JD_DECIMAL);
            }
            break;
        }
        case Type::boolean: end(place, bool(value.get_bool()) ? JD_TRUE : JD_FALSE); break;
        case Type::null:
            good = good && value.is_null();
            end(place, JD_NULL);
            break;
        }
    }

private:
    const Vocabulary &words;
    std::string_view key;
    uint16_t key_id = 0;

    void named(std::string_view text) {
        uint64_t hash = key_hash(text);
        keys.hashes.push_back(hash);
        key = text;
        key_id = words.find(text, hash);
    }
    size_t begin() {
        values.push_back(Value{key, {}, {}, 0, 0, 1, key_id, 0});
        key = {};
        key_id = 0;
        return values.size() - 1;
    }
    void end(size_t place, int kind) {
        values[place].kind = uint8_t(kind);
        values[place].span = uint32_t(values.size() - place);
    }
};

double cpu_nanoseconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e9 + double(now.tv_nsec);
}

const std::vector<const char *> words = {
    "message", "token", "notification", "title", "body", "image", "data", "android", "priority", "collapse_key",
    "channel_id", "tag", "apns", "headers", "apns-priority", "apns-push-type", "apns-collapse-id", "payload", "aps",
    "alert", "subtitle", "badge", "sound", "thread-id", "category", "mutable-content", "content-available",
    "interruption-level", "fcm_options", "analytics_label"};

struct Contender {
    const char *name;
    bool (*read)(const std::string &);
    std::vector<double> samples;
};

/// The bytes of a message arrive without padding: every contender copies them.
std::vector<char> room;
const char *padded(const std::string &message) {
    room.resize(message.size() + simdjson::SIMDJSON_PADDING);
    memcpy(room.data(), message.data(), message.size());
    return room.data();
}

simdjson::dom::parser dom_parser(1 << 20);
simdjson::ondemand::parser on_demand_parser;
const Vocabulary vocabulary(words);
Walk walk(vocabulary);
jd_document *document = jd_document_new();
jd_vocabulary *own_words = jd_vocabulary_new(words.data(), words.size());

bool read_dom_only(const std::string &message) {
    simdjson::dom::element root;
    return !dom_parser.parse(padded(message), message.size(), false).get(root);
}

bool read_dom(const std::string &message) {
    simdjson::dom::element root;
    if (dom_parser.parse(padded(message), message.size(), false).get(root)) return false;
    walk.reset();
    walk.dom(root);
    return walk.good;
}

bool read_on_demand(const std::string &message) {
    simdjson::ondemand::document root;
    const char *bytes = padded(message);
    if (on_demand_parser.iterate(bytes, message.size(), room.size()).get(root)) return false;
    walk.reset();
    walk.on_demand(root.get_value().value());
    return walk.good;
}

bool read_own(const std::string &message) {
    jd_fault fault;
    return jd_document_read(document, message.data(), message.size(), 65536, deepest, own_words, &fault) == JD_OK;
}

}  // namespace

int main(int count, char **arguments) {
    std::ifstream file(count > 1 ? arguments[1] : "message.json");
    std::stringstream bytes;
    bytes << file.rdbuf();
    const std::string message = bytes.str();
    std::vector<Contender> contenders = {
        {"simdjson DOM, parse alone", read_dom_only, {}},
        {"simdjson DOM + walk", read_dom, {}},
        {"simdjson On-Demand + walk", read_on_demand, {}},
        {"own reader, all duties", read_own, {}},
    };
    const int rounds = 15, times = 20000;
    for (int round = 0; round < rounds; round++) {
        for (auto &one : contenders) {
            double start = cpu_nanoseconds();
            for (int i = 0; i < times; i++) {
                if (!one.read(message)) {
                    fprintf(stderr, "%s refuses the message\n", one.name);
                    return 1;
                }
            }
            one.samples.push_back((cpu_nanoseconds() - start) / times);
        }
    }
    double own = 0;
    for (auto &one : contenders) {
        std::sort(one.samples.begin(), one.samples.end());
        own = one.samples[rounds / 2];
    }
    printf("%zu bytes, %d rounds of %d, kernel of simdjson: %s\n", message.size(), rounds, times,
           std::string(simdjson::get_active_implementation()->name()).c_str());
    for (auto &one : contenders) {
        double median = one.samples[rounds / 2];
        printf("%-28s %7.0f ns (best %5.0f)  %4.2f x own\n", one.name, median, one.samples[0], median / own);
    }
    return 0;
}
