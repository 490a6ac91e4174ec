"""Reads iCalendar objects, each after a line with its length, and prints what the library named on the
command line (icalendar or vobject) makes of each as a line of JSON."""
import json
import sys


def utc(t):
    if t.utcoffset() is None or t.utcoffset().total_seconds() != 0:
        raise ValueError(f"{t} is not in UTC")
    return t.strftime("%Y%m%dT%H%M%SZ")


def by_icalendar(data):
    from icalendar import Calendar

    calendar = Calendar.from_ical(data)
    [event] = calendar.subcomponents
    if calendar.name != "VCALENDAR" or event.name != "VEVENT" or event.subcomponents:
        raise ValueError("not one event in one calendar")

    def people(name):
        found = event.get(name, [])
        found = found if isinstance(found, list) else [found]
        return [{"name": p.params["CN"], "email": str(p)} for p in found]

    names = []
    for part in calendar, event:
        for name, value in part.items():
            names += [name] * (len(value) if isinstance(value, list) else 1)
    return {
        "problems": [str(e) for part in (calendar, event) for e in part.errors],
        "method": calendar["METHOD"], "uid": event["UID"], "sequence": int(event["SEQUENCE"]), "status": event["STATUS"],
        "stamp": utc(event["DTSTAMP"].dt), "start": utc(event["DTSTART"].dt), "end": utc(event["DTEND"].dt),
        "summary": event["SUMMARY"], "location": event.get("LOCATION", ""), "description": event.get("DESCRIPTION", ""),
        "url": event.get("URL", ""), "organizers": people("ORGANIZER"), "attendees": people("ATTENDEE"), "names": sorted(names),
    }


def by_vobject(data):
    import vobject

    [calendar] = vobject.readComponents(data.decode())
    calendar.validate(raiseException=True)
    [event] = calendar.components()
    if calendar.name != "VCALENDAR" or event.name != "VEVENT" or list(event.components()):
        raise ValueError("not one event in one calendar")

    def text(name):
        found = event.contents.get(name, [])
        return found[0].value if found else ""

    def people(name):
        return [{"name": ",".join(p.params["CN"]), "email": p.value} for p in event.contents.get(name, [])]

    return {
        "problems": [],
        "method": calendar.method.value, "uid": text("uid"), "sequence": int(text("sequence")), "status": text("status"),
        "stamp": utc(event.dtstamp.value), "start": utc(event.dtstart.value), "end": utc(event.dtend.value),
        "summary": text("summary"), "location": text("location"), "description": text("description"),
        "url": text("url"), "organizers": people("organizer"), "attendees": people("attendee"),
        "names": sorted(line.name for part in (calendar, event) for line in part.lines()),
    }


def main():
    read = {"icalendar": by_icalendar, "vobject": by_vobject}[sys.argv[1]]
    while length := sys.stdin.buffer.readline():
        data = sys.stdin.buffer.read(int(length))
        try:
            answer = read(data)
        except Exception as e:  # whatever it is, this object could not be read
            answer = {"problems": [repr(e)]}
        print(json.dumps(answer))


main()
