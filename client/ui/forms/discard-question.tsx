import { getDefaultZIndex, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import {
  answerQuestion,
  askToDiscard,
  hasUnsavedWork,
  trackInput,
  losesWork,
  useIsAsked,
  useMayBeUnsaved,
  type Address,
} from '../../lib/writes/unsaved-input'
import { Dialog } from '../dialog'
import { DialogButtons } from './form-dialog'

const staysForWork = async ({ next, current }: { next: Address; current: Address }): Promise<boolean> =>
  losesWork(next, current) && !(await askToDiscard())

/** Asks before anything that was typed and is nowhere kept is lost: by leaving the page, or by closing a dialog. */
export function DiscardQuestion() {
  useEffect(trackInput, [])
  const mayBeUnsaved = useMayBeUnsaved()
  useBlocker({ shouldBlockFn: staysForWork, enableBeforeUnload: hasUnsavedWork, disabled: !mayBeUnsaved })
  const isAsked = useIsAsked()
  const keep = (): void => answerQuestion(false)
  return (
    // Above the dialog that it asks about.
    <Dialog opened={isAsked} onClose={keep} title="Discard changes?" zIndex={getDefaultZIndex('overlay')}>
      <Stack gap="md">
        <Text size="sm">What you entered isn’t saved.</Text>
        <DialogButtons
          submit="Discard changes"
          cancel="Keep editing"
          danger
          focusCancel
          onConfirm={() => answerQuestion(true)}
          onClose={keep}
        />
      </Stack>
    </Dialog>
  )
}
