import { useState } from 'react'
import { toRetainInput, currentlyRetained } from '../../lib/freezes'
import type { RetainedChoice } from '../../lib/freezes'
import type { OverLimitSummary } from '../../../src/shared/subscription'

/** What the choice is about: another plan asks anew. */
const itemsKey = (overLimitSummary: OverLimitSummary): string =>
  JSON.stringify(
    [overLimitSummary.sources, overLimitSummary.analysts, overLimitSummary.users, overLimitSummary.insights].map(
      (list) => [list?.max, list?.items.map(({ id, stays }) => [id, stays])],
    ),
  )

/** What stays under the chosen plan: as the server orders it, until the person chooses. */
export function useRetainedSelection(freezes: OverLimitSummary | null) {
  const [picked, setPicked] = useState<{ subject: string; choice: RetainedChoice } | null>(null)
  const subject = freezes ? itemsKey(freezes) : ''
  const userChoice = picked?.subject === subject ? picked.choice : null
  return {
    choice: freezes ? (userChoice ?? currentlyRetained(freezes)) : null,
    choose: (choice: RetainedChoice) => setPicked({ subject, choice }),
    /** To be saved; null while nothing differs from the server's order. */
    toSave: freezes && userChoice ? toRetainInput(userChoice, freezes) : null,
  }
}
