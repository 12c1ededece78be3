points = 0


def win_round(bonus):
    points = points + 10 + bonus
    print("You won! Points:", points)


def lose_round():
    print("You lost this round.")


win_round(5)
lose_round()
win_round(0)
