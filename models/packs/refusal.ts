/** A pack that is refused; the message is one sentence for the user. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** The host of a download does not answer. */
export class Unreachable extends Refusal {}
