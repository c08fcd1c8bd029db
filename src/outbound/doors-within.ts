import type { Doors } from './doors'

/** The same doors, behind which nothing is waited for longer than so long: somebody sits in front of the answer. */
export const doorsWithin = (doors: Doors, deadlineMs: number): Doors => {
  const least = (asked: number | undefined): number => Math.min(asked ?? deadlineMs, deadlineMs)
  return {
    http: (call) => doors.http({ ...call, deadlineMs: least(call.deadlineMs) }),
    operator: (call) => doors.operator({ ...call, deadlineMs: least(call.deadlineMs) }),
    connect: (target) => doors.connect({ ...target, deadlineMs: least(target.deadlineMs) }),
  }
}
