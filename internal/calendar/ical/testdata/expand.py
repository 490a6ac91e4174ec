"""Expands iCalendar files and rules with python-icalendar and dateutil, independently of the Go code.

expand.py rules        one JSON object per line on standard input: {"start", "rule", "from", "until"} in seconds of wall time; one JSON list per line out
expand.py files F...   one line per file: its name and the busy spans
"""
import json
import signal
import sys
from datetime import date, datetime, timedelta, timezone
from io import StringIO
from zoneinfo import ZoneInfo, available_timezones

from dateutil import rrule, tz
from icalendar import Calendar
from icalendar.windows_to_olson import WINDOWS_TO_OLSON

UTC = timezone.utc
OWNER_ZONE = ZoneInfo("America/New_York")
OWNER = "mailto:ada@acme.example"
FROM, UNTIL = datetime(2030, 1, 1, tzinfo=UTC), datetime(2031, 1, 1, tzinfo=UTC)
DAY, PADDING = timedelta(days=1), timedelta(hours=14)
EPOCH = datetime(1970, 1, 1)
IANA = available_timezones()


class Endless(Exception):
    """Raised when dateutil searches for a match that does not exist."""


def give_up(*_):
    raise Endless


def rules():
    signal.signal(signal.SIGVTALRM, give_up)
    rrule.datetime.MAXYEAR = 2050
    for line in sys.stdin:
        q = json.loads(line)
        start, first, last = (EPOCH + timedelta(seconds=q[k]) for k in ("start", "from", "until"))
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.2)
        try:
            found = rrule.rrulestr(q["rule"], dtstart=start).between(first, last, inc=True)
            answer = [int((d - EPOCH).total_seconds()) for d in found]
        except Endless:
            answer = None
        except ValueError as e:
            if "empty" not in str(e):
                raise
            answer = []
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        print(json.dumps(answer), flush=True)


class Clock:
    """The clock of a time zone. An unknown zone has no tzinfo."""

    def __init__(self, tzinfo):
        self.tzinfo = tzinfo

    def offset(self, at):
        return at.replace(tzinfo=UTC).astimezone(self.tzinfo).utcoffset()

    def instants(self, wall):
        """Return the first and the last instant at which the clock shows wall, as naive UTC; in a gap, use both offsets."""
        if self.tzinfo is None:
            return wall - PADDING, wall + PADDING
        readings = [wall - self.offset(wall + d) for d in (-DAY, DAY)]
        shown = [at for at in readings if at + self.offset(at) == wall]
        return min(shown or readings), max(shown or readings)

    def day_start(self, wall):
        at = min(self.instants(wall))
        while at + self.offset(at) < wall:
            at += timedelta(minutes=1)
        return at


class Stamp:
    """A date or time as it is written in a file."""

    def __init__(self, value, tzid, zones):
        self.is_date = not isinstance(value, datetime)
        self.wall = datetime(value.year, value.month, value.day) if self.is_date else value.replace(tzinfo=None)
        self.tzid = None if self.is_date else tzid
        self.utc = not self.is_date and tzid is None and value.tzinfo is not None
        self.clock = Clock(UTC) if self.utc else zones.find(self.tzid)

    def moved(self, by):
        other = object.__new__(Stamp)
        other.__dict__.update(self.__dict__, wall=self.wall + by)
        return other

    def edge(self, last):
        if self.is_date:
            return self.clock.day_start(self.wall)
        return self.clock.instants(self.wall)[last]

    def shown_on(self, other):
        """Return the wall time of the same moment on the other stamp's clock."""
        if self.is_date or other.is_date or not self.utc and self.tzid in (None, other.tzid):
            return self.wall
        if self.clock.tzinfo is None or other.clock.tzinfo is None:
            return None
        at = self.edge(0)
        return at + other.clock.offset(at)


class Zones:
    def __init__(self, calendar):
        defined = "".join(c.to_ical().decode() for c in calendar.walk("VTIMEZONE"))
        known = [line for line in defined.replace("\r\n ", "").splitlines() if not line.startswith("X-")]
        self.ical = tz.tzical(StringIO("\r\n".join(["BEGIN:VCALENDAR", *known, "END:VCALENDAR"]))) if known else None

    def find(self, tzid):
        if tzid is None:
            return Clock(OWNER_ZONE)
        parts = tzid.split("/")
        ends = ["/".join(parts[i:]) for i in range(1, len(parts) - 1)]
        for name in [tzid, WINDOWS_TO_OLSON.get(tzid)] + ends:
            if name in IANA:
                return Clock(ZoneInfo(name))
        if self.ical:
            for key in self.ical.keys():
                if key.replace("\\", "") == tzid:
                    return Clock(self.ical.get(key))
        return Clock(None)


def each(prop):
    return prop if isinstance(prop, list) else [] if prop is None else [prop]


class Series:
    def __init__(self, component, zones):
        self.c, self.zones = component, zones
        self.uid = str(component.get("UID", ""))
        self.start = self.stamp("DTSTART")
        self.length = self.read_length()
        self.id = self.stamp("RECURRENCE-ID")
        self.onwards = self.id is not None and "RANGE" in component["RECURRENCE-ID"].params
        self.without, self.turns = [], []

    def stamp(self, name):
        prop = self.c.get(name)
        return Stamp(prop.dt, prop.params.get("TZID"), self.zones) if prop is not None else None

    def read_length(self):
        """Return the end relative to the start: calendar days, elapsed time, and the end's own clock."""
        end, duration = self.stamp("DTEND"), self.c.get("DURATION")
        if end is not None:
            return end.wall - self.start.wall, timedelta(0), end
        if duration is not None:
            days = timedelta(days=duration.dt.days)
            return days, duration.dt - days, self.start
        return (DAY if self.start.is_date else timedelta(0)), timedelta(0), self.start

    def free(self):
        c = self.c
        declined = [a.params.get("PARTSTAT") == "DECLINED" for a in each(c.get("ATTENDEE")) if a.lower() == OWNER]
        return (c.get("TRANSP") == "TRANSPARENT" or c.get("STATUS") == "CANCELLED" or c.get("X-MICROSOFT-CDO-BUSYSTATUS") == "FREE"
                or bool(declined) and all(declined))

    def stamps(self, name):
        for prop in each(self.c.get(name)):
            for d in prop.dts:
                yield d.dt, prop.params.get("TZID")

    def excluded(self, wall):
        return any(e.shown_on(self.start) == wall or e.is_date and e.wall.date() == wall.date() for e in self.without)

    def places(self):
        walls = {self.start.wall}
        for prop in each(self.c.get("RRULE")):
            walls |= set(self.rule(prop))
        for value, tzid in self.stamps("RDATE"):
            if not isinstance(value, tuple):
                walls.add(Stamp(value, tzid, self.zones).shown_on(self.start))
        for prop in each(self.c.get("EXRULE")):
            walls -= set(self.rule(prop))
        return {w for w in walls if not self.excluded(w)}

    def rule(self, prop):
        parts = dict(prop)
        until = parts.pop("UNTIL", [None])[0]
        text = ";".join(f"{k}={','.join(map(str, v if isinstance(v, list) else [v]))}" for k, v in parts.items())
        for wall in rrule.rrulestr(text, dtstart=self.start.wall):
            if wall > datetime(2031, 6, 1) or until is not None and self.past(wall, until):
                return
            yield wall

    def past(self, wall, until):
        if not isinstance(until, datetime):
            return wall.date() > until
        if until.tzinfo is None or self.start.is_date:
            return wall > until.replace(tzinfo=None)
        return self.start.moved(wall - self.start.wall).edge(0) > until.astimezone(UTC).replace(tzinfo=None)

    def span(self, by):
        start = self.start.moved(by)
        days, elapsed, clock = self.length
        end = clock.moved(start.wall + days - clock.wall)
        return start.edge(0), end.edge(1) + elapsed

    def spans(self):
        for place in self.places():
            turn = max((t for t in self.turns if t.id.shown_on(self.start) <= place), key=lambda t: t.id.wall, default=None)
            if turn is None and not self.free():
                yield self.span(place - self.start.wall)
            elif turn is not None and not turn.free():
                yield turn.span(place - turn.id.shown_on(self.start))
        for value, tzid in self.stamps("RDATE"):
            if isinstance(value, tuple) and not self.free():
                start = Stamp(value[0], tzid, self.zones)
                end = Stamp(value[1], tzid, self.zones).edge(1) if isinstance(value[1], date) else start.edge(1) + value[1]
                yield start.edge(0), end


def busy(text):
    all_series = []
    for calendar in Calendar.from_ical(text, multiple=True):
        zones = Zones(calendar)
        all_series += [Series(c, zones) for c in calendar.walk("VEVENT")]
    for s in all_series:
        s.without += [Stamp(v, tzid, s.zones) for v, tzid in s.stamps("EXDATE")]
        for e in all_series:
            if e.uid == s.uid and e.id is not None and s.id is None:
                s.without.append(e.id)
                s.turns += [e] if e.onwards else []
    first, last = FROM.replace(tzinfo=None), UNTIL.replace(tzinfo=None)
    spans = [span for s in all_series for span in s.spans()]
    return sorted((a, b) for a, b in spans if a < b and b > first and a < last)


def files(paths):
    for path in paths:
        with open(path, encoding="utf-8-sig", newline="") as f:
            spans = busy(f.read())
        print(path.rsplit("/", 1)[-1], *(f"{a.isoformat()}Z/{b.isoformat()}Z" for a, b in spans))


if __name__ == "__main__":
    rules() if sys.argv[1] == "rules" else files(sys.argv[2:])
