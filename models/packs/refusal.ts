/** A pack that is not taken; the message is one sentence for people. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
