# Page and server, built by what stays behind.
FROM node:20.20-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.base.json vite.config.ts ./
COPY shared shared
COPY web web
COPY models models
COPY server server
RUN npx vite build --logLevel warn
RUN npx vite build --config server/vite.config.ts --logLevel warn
RUN npm prune --omit=dev

# What runs: no sources, no tools, no rights.
FROM node:20.20-slim
ENV NODE_ENV=production ORT_DISABLE_TELEMETRY=1 VEIL_HOST=0.0.0.0 VEIL_PORT=7000 VEIL_INPUT=/data/input VEIL_OUTPUT=/data/output
WORKDIR /app
COPY LICENSE NOTICE.md THIRD-PARTY-LICENSES.txt package.json ./
COPY models/NOTICE.md models/LICENSE-Apache-2.0.txt models/manifest.json models/*.onnx models/
COPY server/bin server/bin
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
RUN mkdir -p /data/input /data/output && chown -R node:node /data
USER node
VOLUME ["/data/input", "/data/output"]
EXPOSE 7000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.VEIL_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "server/bin/veil.mjs"]
