import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import type { AccessTestResult, DataAccess } from '../../../src/shared/data-access/data-access'
import { ACCESS_TESTS_MAX, type AccessPolicy, type AccessTest } from '../../../src/shared/data-access/rules'
import { MoreMenu } from '../../ui/buttons/more-menu'
import { EmptyState } from '../../ui/empty-state'
import { TableSkeleton } from '../../ui/skeletons'
import { useAccessNames, type AccessNames } from './access-names'
import { describeTests, EXPECTATION_LABELS } from './access-text'
import classes from './data-access.module.css'
import { PolicyReviewDialog } from './policy-review'
import { useMayEditAccess, useOpened } from './policy-saving'
import { TestDialog } from './test-dialog'
import { TestOutcome } from './test-outcome'

type OpenDialog = { kind: 'edit'; test: AccessTest | null } | { kind: 'delete'; test: AccessTest }

/** What must stay true of access, and whether it is. */
export function TestsTab({ access }: { access: DataAccess }) {
  const { tests } = access.policy
  const mayEdit = useMayEditAccess(access)
  const names = useAccessNames()
  const { opened, open, close } = useOpened<OpenDialog>()
  const failing = access.tests.filter(({ passes }) => !passes).length
  const create = mayEdit && tests.length < ACCESS_TESTS_MAX && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open({ kind: 'edit', test: null })}>
      Create test
    </Button>
  )
  return (
    <Stack gap="md">
      {tests.length === 0 ? (
        <EmptyState
          picture="locked"
          title="No tests yet"
          sentence="Test who must not see what. Each change of rules runs them."
          action={create}
        />
      ) : (
        <>
          <Group justify="space-between">
            <Text size="sm" role="status">
              {describeTests(tests.length, failing)}
            </Text>
            {create}
          </Group>
          {names.isPending && <TableSkeleton count={tests.length} />}
          {!names.isPending && (
            <ul className={`surface ${classes.list}`} aria-label="Tests">
              {tests.map((test) => (
                <TestItem
                  key={test.id}
                  {...{ test, names, mayEdit }}
                  result={access.tests.find(({ testId }) => testId === test.id)}
                  onOpen={open}
                />
              ))}
            </ul>
          )}
        </>
      )}
      {opened?.kind === 'edit' && <TestDialog {...{ access, test: opened.test }} onClose={close} />}
      {opened?.kind === 'delete' && (
        <PolicyReviewDialog
          {...{ access, onClose: close, onSaved: close }}
          title={`Delete ${opened.test.name}?`}
          change={(policy: AccessPolicy) => ({
            ...policy,
            tests: policy.tests.filter(({ id }) => id !== opened.test.id),
          })}
          submit="Delete test"
          saved="Test deleted"
        />
      )}
    </Stack>
  )
}

interface TestItemProps {
  test: AccessTest
  result: AccessTestResult | undefined
  names: AccessNames
  mayEdit: boolean
  onOpen: (opened: OpenDialog) => void
}

function TestItem({ test, result, names, mayEdit, onOpen }: TestItemProps) {
  const { name, subject, dataset, column, expect } = test
  const what = names.resource({ kind: 'dataset', id: dataset })
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <Text fw={600}>{name}</Text>
        <Text size="sm">
          {names.subject(subject)} · {column === null ? what : `${names.column(dataset, column)} in ${what}`} ·{' '}
          {EXPECTATION_LABELS[expect].toLowerCase()}
        </Text>
        <TestOutcome result={result} />
      </div>
      {mayEdit && (
        <MoreMenu
          label={`Actions for ${name}`}
          items={[
            { label: 'Edit', icon: IconPencil, onClick: () => onOpen({ kind: 'edit', test }) },
            { label: 'Delete', icon: IconTrash, c: 'red', onClick: () => onOpen({ kind: 'delete', test }) },
          ]}
        />
      )}
    </li>
  )
}
