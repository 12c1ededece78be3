def ticket_price(age, day):
    price = 12
    if age < 6:
        price = 0
    elif age < 18:
        price = 6
    if day = "Tuesday":
        price = price / 2
    return price


print(ticket_price(15, "Tuesday"))
print(ticket_price(40, "Friday"))
