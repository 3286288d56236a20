"""Generate, score, change and answer questions of the reading-comprehension data set DROP.

examples:
  numprobe drop generate --passages 200 --out questions.json
  numprobe drop predict --model smollm2-135m --data questions.json --out predictions.json
  numprobe drop score predictions.json --data questions.json
"""
