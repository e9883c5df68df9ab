/** A start problem that the user can solve. The message is one sentence that explains the solution. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}
