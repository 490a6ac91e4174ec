# Lists a calendar's events with python3-caldav, which shares no code with slotd. Arguments: address, user name, password.
import json
import sys

import caldav

address, username, password = sys.argv[1:]
client = caldav.DAVClient(url=address, username=username, password=password)
events = []
for found in client.calendar(url=address).events():
    event = found.icalendar_instance.walk("VEVENT")[0]
    events.append({"uid": str(event["UID"]), "start": event["DTSTART"].dt.isoformat(), "summary": str(event["SUMMARY"])})
json.dump(sorted(events, key=lambda e: e["uid"]), sys.stdout)
