import { isPartial, seenInPart } from '../../identity/access/visible-dataset'
import type { Scope } from '../../scope'

/** @throws ProductError `forbidden` where rules of access leave out a part of it */
export function assertWhole(scope: Scope, dataset: { id: string }): void {
  if (isPartial(scope.wire(), dataset)) throw seenInPart()
}
