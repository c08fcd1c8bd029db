import { Badge, Button, Group, NumberInput, Stack, Tabs, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  deleteTerm,
  deleteVerified,
  feedbackQuery,
  saveSettings,
  settingsQuery,
  termsQuery,
  verifiedQuery,
  verifyAgain,
} from './queries'
import { TermDialog } from './term-dialog'
import { useMayWrite, useMay } from '../../lib/gate'
import { useFormat } from '../../lib/format'
import { SideDrawer } from '../../ui/dialog'
import { EmptyState } from '../../ui/empty-state'
import { MoreMenu } from '../../ui/buttons/more-menu'
import { confirmDestructive } from '../../ui/forms/confirm-dialog'
import { FormError } from '../../ui/forms/form-error'
import { MutedText } from '../../ui/muted-text'
import { notifyError } from '../../ui/notify-error'
import { QueryView } from '../../ui/query-view'
import { TableSkeleton } from '../../ui/skeletons'
import { BOT_FEEDBACK_LABELS, BOT_RETENTION_DAYS } from '../../../src/shared/bot/conversations'
import type { BotTerm } from '../../../src/shared/bot/knowledge'

/** What the workspace teaches the bot: its words, verified answers, what was wrong, how long conversations are kept. */
export function KnowledgeDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const maySeeReports = useMay('edit:metric')
  const maySet = useMay('edit:workspace')
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      position="right"
      size="min(560px, 100%)"
      title={<Text fw={600}>Glossary and verified answers</Text>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Tabs defaultValue="terms" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="terms">Glossary</Tabs.Tab>
          <Tabs.Tab value="verified">Verified answers</Tabs.Tab>
          {maySeeReports && <Tabs.Tab value="feedback">Wrong answers</Tabs.Tab>}
          {maySet && <Tabs.Tab value="settings">Settings</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="terms">
          <TermsPanel />
        </Tabs.Panel>
        <Tabs.Panel value="verified">
          <VerifiedPanel />
        </Tabs.Panel>
        <Tabs.Panel value="feedback">
          <FeedbackPanel />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <SettingsPanel />
        </Tabs.Panel>
      </Tabs>
    </SideDrawer>
  )
}

function TermsPanel() {
  const terms = useQuery(termsQuery())
  const mayEdit = useMayWrite('edit:metric')
  const [edited, setEdited] = useState<BotTerm | 'new' | null>(null)
  const add = mayEdit && <Button onClick={() => setEdited('new')}>Add term</Button>
  return (
    <>
      <QueryView query={terms} skeleton={<TableSkeleton count={4} />}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState title="No terms yet" sentence="Tell the bot what your words mean in your data." action={add} />
          ) : (
            <Stack gap="sm">
              {add}
              {items.map((term) => (
                <Group key={term.id} justify="space-between" wrap="nowrap" align="flex-start">
                  <Stack gap={0} style={{ minWidth: 0 }}>
                    <Text fw={550}>{[term.term, ...term.synonyms].join(', ')}</Text>
                    {term.means !== '' && <Text size="sm">Means {term.means}</Text>}
                    {term.definition !== '' && <MutedText size="sm">{term.definition}</MutedText>}
                  </Stack>
                  {mayEdit && (
                    <MoreMenu
                      label={`More for ${term.term}`}
                      items={[
                        { label: 'Edit term', onClick: () => setEdited(term) },
                        {
                          label: 'Delete term',
                          color: 'red',
                          onClick: () =>
                            confirmDestructive({
                              title: 'Delete term?',
                              message: `The bot no longer knows “${term.term}”. Can’t be undone.`,
                              confirm: 'Delete term',
                              onConfirm: () => deleteTerm(term).catch(notifyError),
                            }),
                        },
                      ]}
                    />
                  )}
                </Group>
              ))}
            </Stack>
          )
        }
      </QueryView>
      {edited !== null && <TermDialog term={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  )
}

function VerifiedPanel() {
  const verified = useQuery(verifiedQuery())
  const mayVerify = useMayWrite('verify:insight')
  const format = useFormat()
  return (
    <QueryView query={verified} skeleton={<TableSkeleton count={4} />}>
      {(items) =>
        items.length === 0 ? (
          <EmptyState
            title="No verified answers yet"
            sentence="Verify an answer to give it to everyone who asks alike."
          />
        ) : (
          <Stack gap="sm">
            {items.map((answer) => (
              <Group key={answer.id} justify="space-between" wrap="nowrap" align="flex-start">
                <Stack gap={2} style={{ minWidth: 0 }}>
                  <Text fw={550}>{answer.question}</Text>
                  <MutedText size="sm">
                    Verified by {answer.verifiedByName}, {format.dateTime(answer.verifiedAt)}
                  </MutedText>
                  {answer.stale && (
                    <Badge color="yellow" variant="light">
                      Verification outdated
                    </Badge>
                  )}
                </Stack>
                {mayVerify && (
                  <MoreMenu
                    label={`More for ${answer.question}`}
                    items={[
                      answer.stale && {
                        label: 'Verify again',
                        onClick: () => void verifyAgain(answer).catch(notifyError),
                      },
                      {
                        label: 'Delete verified answer',
                        color: 'red',
                        onClick: () =>
                          confirmDestructive({
                            title: 'Delete verified answer?',
                            message: 'The question is read by the rules again. Can’t be undone.',
                            confirm: 'Delete verified answer',
                            onConfirm: () => deleteVerified(answer).catch(notifyError),
                          }),
                      },
                    ]}
                  />
                )}
              </Group>
            ))}
          </Stack>
        )
      }
    </QueryView>
  )
}

function FeedbackPanel() {
  const feedback = useQuery(feedbackQuery())
  const format = useFormat()
  return (
    <QueryView query={feedback} skeleton={<TableSkeleton count={4} />}>
      {(items) =>
        items.length === 0 ? (
          <EmptyState title="No wrong answers reported" />
        ) : (
          <Stack gap="md">
            {items.map(({ messageId, question, kind, reason, words, personName, at }) => (
              <Stack key={messageId} gap={2}>
                <Text fw={550}>{question}</Text>
                <Text size="sm">
                  {BOT_FEEDBACK_LABELS[kind]}
                  {reason === '' ? '' : `: ${reason}`}
                </Text>
                {words !== null && <MutedText size="sm">Read as {words}</MutedText>}
                <MutedText size="sm">
                  {personName}, {format.dateTime(at)}
                </MutedText>
              </Stack>
            ))}
          </Stack>
        )
      }
    </QueryView>
  )
}

function SettingsPanel() {
  const settings = useQuery(settingsQuery())
  const [days, setDays] = useState<number | null>(null)
  const save = useMutation({ mutationFn: (retentionDays: number) => saveSettings({ retentionDays }) })
  const mayEdit = useMayWrite('edit:workspace')
  return (
    <QueryView query={settings} skeleton={<TableSkeleton count={1} />}>
      {({ retentionDays }) => {
        const value = days ?? retentionDays
        const isValid = value >= BOT_RETENTION_DAYS.min && value <= BOT_RETENTION_DAYS.max
        return (
          <Stack gap="md" align="flex-start">
            <NumberInput
              label="Keep conversations (days)"
              description={`${BOT_RETENTION_DAYS.min}–${BOT_RETENTION_DAYS.max} days after the last message`}
              min={BOT_RETENTION_DAYS.min}
              max={BOT_RETENTION_DAYS.max}
              allowDecimal={false}
              value={value}
              disabled={!mayEdit}
              onChange={(next) => setDays(typeof next === 'number' ? next : null)}
            />
            {mayEdit && (
              <Button
                loading={save.isPending}
                disabled={!isValid || value === retentionDays}
                onClick={() => save.mutate(value)}
              >
                Save settings
              </Button>
            )}
            <FormError error={save.error} />
          </Stack>
        )
      }}
    </QueryView>
  )
}
