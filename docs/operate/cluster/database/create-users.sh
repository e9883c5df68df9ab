#!/bin/sh
# Creates the users and the database of Veil, once. The image of PostgreSQL runs it as the superuser when it creates its
# data folder. `veil migrate` gives the users of API processes and workers their rights.
set -eu
# `\getenv` keeps the passwords out of the arguments, which everybody on the machine sees.
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
\getenv owner_password OWNER_PASSWORD
\getenv api_password API_PASSWORD
\getenv worker_password WORKER_PASSWORD
CREATE USER veil_owner PASSWORD :'owner_password';
CREATE USER veil_api PASSWORD :'api_password';
CREATE USER veil_worker PASSWORD :'worker_password';
CREATE DATABASE veil OWNER veil_owner;
REVOKE ALL ON DATABASE veil FROM PUBLIC;
GRANT CONNECT ON DATABASE veil TO veil_api, veil_worker;
SQL
