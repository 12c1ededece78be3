# Keep a list of guests for the party.

guests = ["Ivy", "Noah"]

guests.add("Samira")
guests.add("Leo")

print("We have", len(guests), "guests:")
for guest in guests:
    print(guest)
