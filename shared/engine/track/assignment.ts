/** Cost of a pair that must not be assigned. */
export const FORBIDDEN = Number.POSITIVE_INFINITY;

/** Internal cost of a forbidden pair: above any sum of real costs, but finite, so that sums stay comparable. */
const FORBIDDEN_COST = 1e6;

/**
 * Assigns each row at most one column: as many pairs as possible, at minimum total cost.
 *
 * The Hungarian method with potentials, O(rows² · columns). A greedy choice of the nearest pair would exchange tracks
 * where objects cross.
 *
 * @param costs `costs[row][column]`, 0..1000, or `FORBIDDEN`
 * @returns for each row its column, or -1
 * @see Kuhn 1955; in this form Jonker and Volgenant 1987
 */
export const assign = (costs: readonly (readonly number[])[]): number[] => {
  const rows = costs.length;
  const columns = costs[0]?.length ?? 0;
  if (rows === 0 || columns === 0) return new Array<number>(rows).fill(-1);
  if (rows > columns) return invert(assign(transpose(costs)), rows);
  const rowOf = matchAll(costs, rows, columns);
  const result = new Array<number>(rows).fill(-1);
  for (let column = 1; column <= columns; column++) {
    const row = (rowOf[column] as number) - 1;
    if (row >= 0 && costs[row]?.[column - 1] !== FORBIDDEN) result[row] = column - 1;
  }
  return result;
};

const transpose = (costs: readonly (readonly number[])[]): number[][] =>
  (costs[0] ?? []).map((_, column) => costs.map((row) => row[column] as number));

const invert = (columnToRow: readonly number[], rows: number): number[] => {
  const result = new Array<number>(rows).fill(-1);
  columnToRow.forEach((row, column) => {
    if (row >= 0) result[row] = column;
  });
  return result;
};

/** @returns by column, counted from 1, the row matched to it, counted from 1; 0 for none */
const matchAll = (costs: readonly (readonly number[])[], rows: number, columns: number): Int32Array => {
  const rowPotential = new Float64Array(rows + 1);
  const columnPotential = new Float64Array(columns + 1);
  const rowOf = new Int32Array(columns + 1);
  const cost = (row: number, column: number): number =>
    Math.min(FORBIDDEN_COST, costs[row - 1]?.[column - 1] as number) -
    (rowPotential[row] as number) -
    (columnPotential[column] as number);
  for (let row = 1; row <= rows; row++) {
    augment(row, columns, cost, { rowOf, rowPotential, columnPotential });
  }
  return rowOf;
};

interface Matching {
  readonly rowOf: Int32Array;
  readonly rowPotential: Float64Array;
  readonly columnPotential: Float64Array;
}

/** Assigns one more row at minimum cost, and moves earlier rows where that is cheaper. */
const augment = (
  row: number,
  columns: number,
  cost: (row: number, column: number) => number,
  { rowOf, rowPotential, columnPotential }: Matching,
): void => {
  const cheapest = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY);
  const cameFrom = new Int32Array(columns + 1);
  const isUsed = new Uint8Array(columns + 1);
  rowOf[0] = row;
  let column = 0;
  do {
    isUsed[column] = 1;
    const current = rowOf[column] as number;
    let next = 0;
    let step = Number.POSITIVE_INFINITY;
    for (let j = 1; j <= columns; j++) {
      if (isUsed[j]) continue;
      const reduced = cost(current, j);
      if (reduced < (cheapest[j] as number)) {
        cheapest[j] = reduced;
        cameFrom[j] = column;
      }
      if ((cheapest[j] as number) < step) {
        step = cheapest[j] as number;
        next = j;
      }
    }
    for (let j = 0; j <= columns; j++) {
      if (isUsed[j]) {
        rowPotential[rowOf[j] as number] = (rowPotential[rowOf[j] as number] as number) + step;
        columnPotential[j] = (columnPotential[j] as number) - step;
      } else cheapest[j] = (cheapest[j] as number) - step;
    }
    column = next;
  } while (rowOf[column] !== 0);
  while (column !== 0) {
    const previous = cameFrom[column] as number;
    rowOf[column] = rowOf[previous] as number;
    column = previous;
  }
};
