/** Why the server cannot start, where that is the starter's to solve: one sentence that says how. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}
