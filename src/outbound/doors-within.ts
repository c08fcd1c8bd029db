import type { Doors } from './doors'

interface DoorDeadlines {
  /** Until an answer begins. */
  answerMs: number
  /** Until a connection stands: a server that takes longer is not there. */
  connectMs: number
}

/** The same doors, behind which nothing is waited for longer than so long: somebody sits in front of the answer. */
export const doorsWithin = (doors: Doors, { answerMs, connectMs }: DoorDeadlines): Doors => {
  const least = (asked: number | undefined, max: number): number => Math.min(asked ?? max, max)
  return {
    http: (call) => doors.http({ ...call, deadlineMs: least(call.deadlineMs, answerMs) }),
    operator: (call) => doors.operator({ ...call, deadlineMs: least(call.deadlineMs, answerMs) }),
    connect: (target) => doors.connect({ ...target, deadlineMs: least(target.deadlineMs, connectMs) }),
    pool: (asked) => doors.pool(asked),
  }
}
