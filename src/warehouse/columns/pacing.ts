/**
 * Work of a piece, by rows: one row of a sum is one, some three to five nanoseconds. A piece is some milliseconds long,
 * so that whoever comes while a question is answered waits no longer than that.
 */
const WORK_AT_ONCE = 2 ** 20

/** Says after each bit of work whether it is time to let others have their turns. */
export type YieldCheck = (work: number) => boolean

export function pacing(): YieldCheck {
  let done = 0
  return (work) => {
    done += work
    if (done < WORK_AT_ONCE) return false
    done = 0
    return true
  }
}
