# Count how often each word appears in a sentence.

sentence = "the cat saw the dog and the dog saw the cat"
counts = {}

for word in sentence.split():
    counts[word] = counts[word] + 1

for word in counts:
    print(word, counts[word])
