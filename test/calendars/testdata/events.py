# Lists a calendar's events with python3-caldav, which shares no code with slotd. Arguments: address, user name,
# password.
import json
import sys

import caldav

address, username, password = sys.argv[1:]
client = caldav.DAVClient(url=address, username=username, password=password)
events = []
for found in client.calendar(url=address).events():
    whole = found.icalendar_instance
    for event in whole.walk("VEVENT"):
        events.append({
            "uid": str(event["UID"]),
            "start": event["DTSTART"].dt.isoformat(),
            "end": event["DTEND"].dt.isoformat(),
            "method": str(whole.get("METHOD", "")),
            "attendee": "ATTENDEE" in event,
        })
json.dump(sorted(events, key=lambda e: (e["uid"], e["start"])), sys.stdout)
