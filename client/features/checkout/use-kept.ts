import { useState } from 'react'
import { keepInputOf, stayingOf } from '../../lib/freezes'
import type { KeepChoice } from '../../lib/freezes'
import type { Freezes } from '../../../src/shared/subscription'

/** What the choice is about: another plan asks anew. */
const subjectOf = (freezes: Freezes): string =>
  JSON.stringify(
    [freezes.sources, freezes.analysts, freezes.users, freezes.insights].map((list) => [
      list?.max,
      list?.items.map(({ id, stays }) => [id, stays]),
    ]),
  )

/** What stays under the chosen plan: as the server orders it, until the person chooses. */
export function useKept(freezes: Freezes | null) {
  const [picked, setPicked] = useState<{ subject: string; choice: KeepChoice } | null>(null)
  const subject = freezes ? subjectOf(freezes) : ''
  const own = picked?.subject === subject ? picked.choice : null
  return {
    choice: freezes ? (own ?? stayingOf(freezes)) : null,
    choose: (choice: KeepChoice) => setPicked({ subject, choice }),
    /** To be saved; null while nothing differs from the server's order. */
    toSave: freezes && own ? keepInputOf(own, freezes) : null,
  }
}
