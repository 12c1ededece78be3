# Find the highest score and who got it.

names = ["Mina", "Jonas", "Priya", "Tom"]
scores = [71, 88, 93, 64]

highest = scores[0]
winner = names[0]
for i in range(len(scores)):
    if scores[i] > highest:
        highest = scores[i]
        winner = names[i]

print(winner, "has the highest score:", higest)
