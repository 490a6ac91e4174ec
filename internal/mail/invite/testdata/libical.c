/* Reads iCalendar objects, each after a line with its length, and prints what libical makes of each as a line of JSON.
 * "problems" holds what libical objects to, its restriction check (RFC 5546's tables) included. */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void quote(const char *s)
{
    putchar('"');
    for (s = s ? s : ""; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c < ' ' || c == '"' || c == '\\')
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void field(const char *name, const char *value)
{
    printf(",\"%s\":", name);
    quote(value);
}

static int order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of all properties, sorted: the other readers do not keep their order. */
static void names(icalcomponent *calendar, icalcomponent *event)
{
    const char *all[1000];
    size_t n = 0;
    icalcomponent *both[] = {calendar, event};
    for (int i = 0; i < 2; i++) {
        icalproperty *p = icalcomponent_get_first_property(both[i], ICAL_ANY_PROPERTY);
        for (; p && n < 1000; p = icalcomponent_get_next_property(both[i], ICAL_ANY_PROPERTY))
            all[n++] = icalproperty_get_property_name(p);
    }
    qsort(all, n, sizeof *all, order);
    printf(",\"names\":[");
    for (size_t i = 0; i < n; i++) {
        fputs(i ? "," : "", stdout);
        quote(all[i]);
    }
    printf("]");
}

static void people(icalcomponent *event, const char *name, icalproperty_kind kind)
{
    const char *comma = "";
    printf(",\"%s\":[", name);
    icalproperty *p = icalcomponent_get_first_property(event, kind);
    for (; p; p = icalcomponent_get_next_property(event, kind)) {
        icalparameter *cn = icalproperty_get_first_parameter(p, ICAL_CN_PARAMETER);
        printf("%s{\"name\":", comma);
        quote(cn ? icalparameter_get_cn(cn) : "(none)");
        field("email", icalvalue_as_ical_string(icalproperty_get_value(p)));
        printf("}");
        comma = ",";
    }
    printf("]");
}

static void problems(icalcomponent *calendar, int restrictions_hold)
{
    int errors = icalcomponent_count_errors(calendar);
    int events = icalcomponent_count_components(calendar, ICAL_ANY_COMPONENT);
    printf("\"problems\":[");
    if (!restrictions_hold || errors || events != 1) {
        char head[100];
        snprintf(head, sizeof head, "restrictions hold: %d, errors: %d, components: %d: ", restrictions_hold, errors, events);
        quote(head);
        printf(",");
        quote(icalcomponent_as_ical_string(calendar));
    }
    printf("]");
}

static const char *value(icalcomponent *c, icalproperty_kind kind)
{
    icalproperty *p = icalcomponent_get_first_property(c, kind);
    return p ? icalproperty_get_value_as_string(p) : "";
}

static void print(icalcomponent *calendar)
{
    int hold = icalrestriction_check(calendar);
    icalcomponent *event = icalcomponent_get_first_component(calendar, ICAL_VEVENT_COMPONENT);
    printf("{");
    problems(calendar, hold);
    if (event) {
        field("method", value(calendar, ICAL_METHOD_PROPERTY));
        field("uid", icalcomponent_get_uid(event));
        printf(",\"sequence\":%d", icalcomponent_get_sequence(event));
        field("status", value(event, ICAL_STATUS_PROPERTY));
        field("stamp", value(event, ICAL_DTSTAMP_PROPERTY));
        field("start", value(event, ICAL_DTSTART_PROPERTY));
        field("end", value(event, ICAL_DTEND_PROPERTY));
        field("summary", icalcomponent_get_summary(event));
        field("location", icalcomponent_get_location(event));
        field("description", icalcomponent_get_description(event));
        field("url", value(event, ICAL_URL_PROPERTY));
        people(event, "organizers", ICAL_ORGANIZER_PROPERTY);
        people(event, "attendees", ICAL_ATTENDEE_PROPERTY);
        names(calendar, event);
    }
    printf("}\n");
}

int main(void)
{
    size_t length;
    while (scanf("%zu", &length) == 1 && getchar() == '\n') {
        char *text = calloc(length + 1, 1);
        if (!text || fread(text, 1, length, stdin) != length)
            return 1;
        icalcomponent *calendar = icalparser_parse_string(text);
        if (calendar) {
            print(calendar);
            icalcomponent_free(calendar);
        } else {
            puts("{\"problems\":[\"libical reads nothing\"]}");
        }
        icalmemory_free_ring();
        free(text);
    }
    return 0;
}
