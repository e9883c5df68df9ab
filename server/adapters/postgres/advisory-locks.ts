/** "VEIL" in ASCII: the first of the two numbers of each lock. */
const CLASS = 0x5645494c;

/**
 * Advisory locks, each as two numbers. They are the database's: two installations need two databases.
 *
 * Locks of idempotency keys have one number of 64 bits, and are separate from these.
 */
export const ADVISORY_LOCKS = {
  migration: [CLASS, 1],
  admission: [CLASS, 2],
  election: [CLASS, 3],
} as const;
