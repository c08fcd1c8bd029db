/** What was done, to take back and to do again. */
export interface History<T> {
  past: readonly T[]
  present: T
  future: readonly T[]
  /** Of the newest change: another one under the same name goes on with it. */
  group: string | null
}
export type HistoryAction<T> =
  /** `group`: typing in one field is one step. */
  | { kind: 'change'; change: (present: T) => T; group?: string }
  | { kind: 'undo' | 'redo' }
  /** Begins anew, as from the server. */
  | { kind: 'replace'; present: T }

const STEPS_MAX = 100

export const beginHistory = <T>(present: T): History<T> => ({ past: [], present, future: [], group: null })

export function historyReducer<T>(history: History<T>, action: HistoryAction<T>): History<T> {
  const { past, present, future } = history
  switch (action.kind) {
    case 'change': {
      const next = action.change(present)
      if (next === present) return history
      const goesOn = action.group !== undefined && action.group === history.group && future.length === 0
      return {
        past: goesOn ? past : [...past, present].slice(-STEPS_MAX),
        present: next,
        future: [],
        group: action.group ?? null,
      }
    }
    case 'undo': {
      const before = past.at(-1)
      return before === undefined
        ? history
        : { past: past.slice(0, -1), present: before, future: [present, ...future], group: null }
    }
    case 'redo': {
      const [next, ...rest] = future
      return next === undefined ? history : { past: [...past, present], present: next, future: rest, group: null }
    }
    case 'replace':
      return beginHistory(action.present)
  }
}
