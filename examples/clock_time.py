# How many minutes have passed since midnight?

time = "07:45:30"
hours, minutes = time.split(":")

total = int(hours) * 60 + int(minutes)
print(total, "minutes since midnight")
