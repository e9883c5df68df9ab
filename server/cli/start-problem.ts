/** A start problem that the user can solve; the message is one sentence that says how. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}
