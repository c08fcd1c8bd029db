import { ActionIcon, Button, Stack, Title, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBooks, IconList } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { FollowUps } from './answer-card'
import { ReadOnlyNote } from './bot-screen-parts'
import classes from './bot.module.css'
import type { BotSlots } from './bot-slots'
import { Composer } from './composer'
import { ConversationList } from './conversation-list'
import { ConversationThread } from './conversation-thread'
import { KnowledgeDrawer } from './knowledge-drawer'
import { createConversation, suggestionsQuery } from './queries'
import { useAsking, type QuestionState } from './use-asking'
import { useMay, useMayWrite, useIsViewingAs } from '../../lib/gate'
import { SideDrawer } from '../../ui/dialog'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { LinkButton } from '../../ui/buttons/links'
import { PageHeader } from '../../ui/page-header'
import { QueryError } from '../../ui/query-view'
import { ChartSkeleton } from '../../ui/skeletons'
import { MutedText } from '../../ui/muted-text'

export interface BotScreenProps extends BotSlots {
  /** The conversation that the address names. */
  conversationId: string | undefined
  /** A question that is asked at once: from the search. */
  question: string | undefined
  onOpen: (id: string | undefined) => void
}

/** Questions in words, answered by figures. */
export function BotScreen({ conversationId, question, onOpen, ...slots }: BotScreenProps) {
  const asking = useAsking()
  const viewing = useIsViewingAs()
  const mayWrite = useMayWrite('view:insight') && !viewing
  const [listed, list] = useDisclosure(false)
  const [taught, teach] = useDisclosure(false)
  const open = (id: string | undefined): void => {
    list.close()
    asking.cancel()
    onOpen(id)
  }
  const begin = async (): Promise<string> => {
    const { id } = await createConversation()
    onOpen(id)
    return id
  }
  const start = (text: string): Promise<void> => asking.ask(begin, { kind: 'text', text }, text)
  useAskOnce(question, mayWrite, start)
  const rail = <ConversationList current={conversationId} mayWrite={mayWrite} onOpen={open} />
  return (
    <>
      <PageHeader
        title="Insight bot"
        actions={
          <>
            <Button variant="default" leftSection={<IconBooks size={16} aria-hidden />} onClick={teach.open}>
              Glossary
            </Button>
            <ActionIcon hiddenFrom="md" size={36} variant="default" aria-label="Conversations" onClick={list.open}>
              <IconList size={18} aria-hidden />
            </ActionIcon>
          </>
        }
      />
      <VisuallyHidden role="status" aria-live="polite">
        {asking.pending ? 'Reading your question' : asking.announced}
      </VisuallyHidden>
      <div className={classes.layout}>
        <nav className={classes.rail} aria-label="Conversations">
          {rail}
        </nav>
        {conversationId === undefined ? (
          <NewConversation asking={asking} mayWrite={mayWrite} onStart={start} sampleOffer={slots.sampleOffer} />
        ) : (
          <ConversationThread key={conversationId} id={conversationId} {...{ asking, slots, mayWrite }} />
        )}
      </div>
      <SideDrawer
        opened={listed}
        onClose={list.close}
        title="Conversations"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {rail}
      </SideDrawer>
      <KnowledgeDrawer opened={taught} onClose={teach.close} />
    </>
  )
}

/** Asks what the address says, once. */
function useAskOnce(question: string | undefined, may: boolean, start: (text: string) => Promise<void>): void {
  const asked = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (question === undefined || question === '' || !may || asked.current === question) return
    asked.current = question
    void start(question)
  })
}

function NewConversation(props: {
  asking: QuestionState
  mayWrite: boolean
  onStart: (text: string) => Promise<void>
  sampleOffer: BotSlots['sampleOffer']
}) {
  const { asking, mayWrite, onStart, sampleOffer } = props
  const suggestions = useQuery(suggestionsQuery())
  const mayConnect = useMay('create:source')
  const busy = asking.pending !== null
  if (suggestions.isPending) return <ChartSkeleton height={240} />
  if (!suggestions.data) return <QueryError query={suggestions} />
  if (!suggestions.data.hasData)
    return (
      <div>
        <EmptyState
          picture="sources"
          title="No data yet"
          sentence={
            mayConnect
              ? 'Import a file, then ask questions about it.'
              : 'Ask an owner, administrator or analyst to connect a source.'
          }
          action={mayWrite && mayConnect && <LinkButton to="/data-sources/new">Connect source</LinkButton>}
        />
        {sampleOffer}
      </div>
    )
  const { items } = suggestions.data
  return (
    <div className={classes.thread}>
      <Stack gap="sm" py="xl">
        <Title order={2}>Ask about your data</Title>
        <MutedText>Answers come from your figures, with your data access.</MutedText>
        {mayWrite && items.length > 0 && (
          <FollowUps items={items} busy={busy} label="Suggestions" onAsk={(text) => void onStart(text)} />
        )}
        {asking.error && <ErrorState error={asking.error} />}
        {!mayWrite && <ReadOnlyNote />}
      </Stack>
      <Composer
        busy={busy}
        disabled={!mayWrite}
        unsent={asking.unsent}
        last={null}
        onAsk={(text) => void onStart(text)}
        onCancel={asking.cancel}
      />
    </div>
  )
}
