import { Alert, Group, List, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { LinkAnchor } from '../../ui/buttons/links'
import { useFormat } from '../../lib/format'
import { useMayWrite } from '../../lib/gate'
import type { Statement, StatementLanguage, StatementNotice } from '../../../src/shared/statements/statements'
import { noticeText, statementFigure } from '../../../src/shared/statements/words'

const GRAVE: ReadonlySet<StatementNotice['kind']> = new Set([
  ...(['unbalanced', 'mismatch', 'unclassified', 'uncounted'] as const),
])

/** What is missing or does not add up; accounts on no line can be put on one. */
export function StatementNotices({ statement, language }: { statement: Statement; language: StatementLanguage }) {
  const { locale } = useFormat()
  const may = useMayWrite('edit:metric')
  const { notices, decimals } = statement
  if (notices.length === 0) return null
  const amount = (value: string): string =>
    statementFigure(value, { format: 'money', kind: 'actual', locale, decimals })
  const isGrave = notices.some(({ kind }) => GRAVE.has(kind))
  return (
    <Alert
      color={isGrave ? 'yellow' : 'gray'}
      variant="light"
      icon={<IconInfoCircle size={18} aria-hidden />}
      aria-label="Notes on this statement"
    >
      <Group justify="space-between" gap="sm" align="start">
        <List size="sm" listStyleType="none" spacing={2}>
          {notices.map((notice) => (
            <List.Item key={JSON.stringify(notice)}>
              <Text span size="sm">
                {noticeText(notice, language, amount)}
              </Text>
            </List.Item>
          ))}
        </List>
        {may && notices.some(({ kind }) => kind === 'unclassified') && (
          <LinkAnchor to="/settings/workspace/accounts" size="sm" className="no-print">
            Classify accounts
          </LinkAnchor>
        )}
      </Group>
    </Alert>
  )
}
