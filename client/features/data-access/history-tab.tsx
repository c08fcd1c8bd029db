import { Button, List, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccessHistoryItem, DataAccess } from '../../../src/shared/data-access/data-access'
import { useFormat } from '../../lib/format'
import { EmptyState } from '../../ui/empty-state'
import { Dialog } from '../../ui/dialog'
import { DialogButtons } from '../../ui/forms/form-dialog'
import { FormError } from '../../ui/forms/form-error'
import { NeutralBadge } from '../../ui/neutral-badge'
import { QueryView } from '../../ui/query-view'
import { TableSkeleton } from '../../ui/skeletons'
import classes from './data-access.module.css'
import { useMayEditAccess } from './policy-saving'
import { accessHistoryQuery, useRestoreAccess } from './queries'

/** Who changed what, and the way back to any of it. */
export function HistoryTab({ access }: { access: DataAccess }) {
  const history = useQuery(accessHistoryQuery())
  const mayEdit = useMayEditAccess(access)
  const [restoring, setRestoring] = useState<AccessHistoryItem | null>(null)
  return (
    <QueryView query={history} skeleton={<TableSkeleton count={4} />}>
      {(items) =>
        items.length === 0 ? (
          <EmptyState picture="search" title="No changes yet" sentence="Each change can be restored." />
        ) : (
          <>
            <ol className={`surface ${classes.list}`} aria-label="History">
              {items.map((item) => (
                <HistoryItem
                  key={item.revision}
                  item={item}
                  isCurrent={item.revision === access.revision}
                  onRestore={mayEdit ? () => setRestoring(item) : null}
                />
              ))}
            </ol>
            {restoring && <RestoreDialog {...{ access, item: restoring }} onClose={() => setRestoring(null)} />}
          </>
        )
      }
    </QueryView>
  )
}

interface HistoryItemProps {
  item: AccessHistoryItem
  isCurrent: boolean
  /** Null: nothing can be restored now. */
  onRestore: (() => void) | null
}

function HistoryItem({ item: { at, by, changes }, isCurrent, onRestore }: HistoryItemProps) {
  const format = useFormat()
  const when = format.dateTime(at)
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <Text size="sm" className={classes.tags}>
          <strong>{by.name}</strong>
          <time dateTime={at}>{when}</time>
          {isCurrent && <NeutralBadge>Current</NeutralBadge>}
        </Text>
        <ul className={classes.changes}>
          {changes.map((change, at_) => (
            <li key={at_}>{change}</li>
          ))}
        </ul>
      </div>
      {!isCurrent && onRestore && (
        <Button size="xs" variant="default" onClick={onRestore}>
          Restore<span className="only-reader"> rules of {when}</span>
        </Button>
      )}
    </li>
  )
}

interface RestoreDialogProps {
  access: DataAccess
  item: AccessHistoryItem
  onClose: () => void
}

function RestoreDialog({ access, item, onClose }: RestoreDialogProps) {
  const format = useFormat()
  const restoring = useRestoreAccess()
  return (
    <Dialog opened onClose={onClose} title={`Restore rules of ${format.dateTime(item.at)}?`}>
      <Stack gap="md">
        <Text size="sm">All rules, attributes and tests become as they were. You can undo it from the history.</Text>
        <List size="sm">
          {item.changes.map((change, at) => (
            <List.Item key={at}>{change}</List.Item>
          ))}
        </List>
        <FormError error={restoring.error} />
        <DialogButtons
          submit="Restore rules"
          focusCancel
          pending={restoring.isPending}
          onConfirm={() =>
            restoring.mutate(
              { revision: item.revision, current: access.revision },
              {
                onSuccess: () => {
                  notifications.show({ color: 'green', message: 'Rules restored' })
                  onClose()
                },
              },
            )
          }
          onClose={onClose}
        />
      </Stack>
    </Dialog>
  )
}
