import { shortestPaths } from './graph'
import type { Graph } from './graph'
import { invalid, tooComplex } from './refuse'
import { datasetsOf, fieldsOf, fieldsOfExpr, leavesOf } from '../../shared/plan-fields'
import type { Field, LeafMeasure, QueryPlan } from '../../shared/query'

/** SQLite here lays at most five selections side by side. */
const FACTS_MAX = 5

export type Leaf = LeafMeasure

/** Whose rows a plan is about. Each fact is added up on its own, so that no row counts twice. */
export interface Facts {
  /** The dataset of plain counts, and of the records of a drill. */
  home: string
  /** Datasets whose rows are measured, in the order of the measures; the home alone when nothing is measured. */
  facts: string[]
  factOf(leaf: Leaf): string
}

/** @throws ProductError `invalid_input` when no dataset is named, or an expression mixes rows that do not meet */
export function factsOf(plan: QueryPlan, graph: Graph): Facts {
  const home = homeOf(plan, graph)
  const factOf = (leaf: Leaf): string => factOfLeaf(leaf, home, graph)
  const facts = [...new Set(plan.measures.flatMap(leavesOf).map(factOf))]
  if (facts.length > FACTS_MAX) throw tooComplex('kinds of rows', FACTS_MAX)
  return { home, facts: facts.length > 0 ? facts : [home], factOf }
}

/** The dataset that is named; else the one whose rows point at all others that are. */
function homeOf(plan: QueryPlan, graph: Graph): string {
  if (plan.dataset !== undefined) return plan.dataset
  const [first, ...others] = datasetsOf(plan)
  if (first === undefined) throw invalid('dataset', 'Say which data is meant.')
  const fields = fieldsOf(plan)
  return others.length === 0 ? first : (lowest(fields, graph) ?? first)
}

function factOfLeaf(leaf: Leaf, home: string, graph: Graph): string {
  if (leaf.kind === 'column') return leaf.dataset ?? (leaf.field ? startOf(leaf.field, graph) : home)
  const fields = fieldsOfExpr(leaf.row)
  if (fields.length === 0) return home
  const found = lowest(fields, graph)
  if (found === null) throw invalid('measures', 'These columns are of rows that no confirmed relation joins.')
  return found
}

/** Where the rows are that a field is asked of: its own dataset, or the beginning of the relations it names. */
function startOf({ dataset, via = [] }: Field, graph: Graph): string {
  const [first] = via
  return (first === undefined ? undefined : graph.edges.find(({ id }) => id === first)?.from.dataset) ?? dataset
}

/** Of the datasets that fields start from, the one that points at all others. */
function lowest(fields: readonly Field[], graph: Graph): string | null {
  const starts = [...new Set(fields.map((field) => startOf(field, graph)))]
  const reaches = (from: string, to: string): boolean => shortestPaths(graph, { from, to, least: 0 }).length > 0
  return starts.find((from) => starts.every((to) => reaches(from, to))) ?? null
}
