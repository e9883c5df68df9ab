# Packs the checkout, by what stays behind.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The script that npm would run is in server/, which is copied later.
RUN npm ci --ignore-scripts
COPY LICENSE NOTICE.md THIRD-PARTY-LICENSES.txt README.md tsconfig.base.json vite.config.ts ./
COPY shared shared
COPY web web
# The guide in the page is made of them.
COPY docs docs
COPY models models
COPY server server
RUN npm run release && mv dist/release/*.tgz veil.tgz

# Installs the package with exactly the dependencies of the lock in it, checked by their hashes.
FROM node:24-slim AS install
WORKDIR /opt/veil
COPY --from=build /app/veil.tgz /app/veil.tgz
RUN tar -xzf /app/veil.tgz --strip-components=1 && npm ci
# Model packs to download while building, such as `recommended`; by default none.
ARG VEIL_MODELS
RUN for pack in $VEIL_MODELS; do node server/bin/veil.mjs models add "$pack" || exit 1; done

# What runs: no sources, no tools, no rights.
FROM node:24-slim
ENV NODE_ENV=production ORT_DISABLE_TELEMETRY=1 VEIL_HOST=0.0.0.0 VEIL_PORT=7000 VEIL_INPUT=/data/input VEIL_OUTPUT=/data/output
# Drivers of graphics cards are 160 MB of ffmpeg's packages, and nothing here draws on a screen.
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg \
  && rm -rf /var/lib/apt/lists/* /usr/lib/*/dri /usr/lib/*/libLLVM* /usr/lib/*/libz3.so*
COPY --from=install /opt/veil /opt/veil
RUN mkdir -p /data/input /data/output /data/files && chown -R node:node /data
USER node
VOLUME ["/data/input", "/data/output"]
EXPOSE 7000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.VEIL_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/veil/server/bin/veil.mjs"]
