/** An Ed25519 signature (RFC 8032). */
export interface Signature {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** 64 bytes. */
  readonly value: Uint8Array;
}

/** Signs reports with the key of a host. */
export interface ReportSigner {
  /** @returns undefined where the host has no key */
  sign(bytes: Uint8Array): Promise<Signature | undefined>;
}
