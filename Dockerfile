# Motu as README.md sets it up, with what PostgreSQL needs. compose.yaml runs it.
FROM python:3.11-slim

WORKDIR /srv/motu
COPY . .
RUN python3 -m venv .venv && .venv/bin/pip install -q -r requirements.lock && .venv/bin/pip install -q --no-deps -e .

RUN useradd motu && install -d -o motu -m 700 /data
USER motu
ENV MOTU_DATA=/data
VOLUME /data

CMD [".venv/bin/motu"]
