import { Button, Group, Stack, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconLinkOff, IconLock } from '@tabler/icons-react'
import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { ApiError } from '../../../lib/api'
import { describeError } from '../../../lib/describe-error'
import { FormatSettingsContext } from '../../../lib/format'
import { PasswordField } from '../../../ui/forms/password-field'
import { Logo } from '../../../ui/logo'
import { MutedText } from '../../../ui/muted-text'
import { TileSkeleton } from '../blocks/tile-frame'
import { FrozenContext, TileSlotsProvider, type TileSlots } from '../blocks/slots'
import { enterPasscode, keepProof, keptProof, openShared, type LinkKey } from './shared-calls'
import { SharedReportView } from './shared-report-view'
import classes from './shared.module.css'

interface SharedScreenProps {
  token: string
  slots: TileSlots
}

/** A report for who has a link to it, and no account. */
export function SharedScreen({ token, slots }: SharedScreenProps) {
  const [proof, setProof] = useState(() => keptProof(token))
  const key = useMemo((): LinkKey => ({ token, proof }), [token, proof])
  const report = useQuery({
    queryKey: ['shared', token, proof],
    queryFn: ({ signal }) => openShared(key, signal),
    // Each time it is opened counts.
    staleTime: Infinity,
  })
  const { data, error, refetch } = report
  const onRefused = useCallback(() => void refetch(), [refetch])
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Frame>
        <div className={classes.loading}>
          <TileSkeleton />
        </div>
      </Frame>
    )
  if (data.state === 'passcode') return <PasscodeForm link={key} onProof={setProof} />
  return (
    <FormatSettingsContext value={data.notation}>
      <FrozenContext value>
        <TileSlotsProvider slots={slots}>
          <Frame workspace={data.workspace}>
            <SharedReportView link={key} report={data} onRefused={onRefused} />
          </Frame>
        </TileSlotsProvider>
      </FrozenContext>
    </FormatSettingsContext>
  )
}

/** The page around it, and whose product it is. */
function Frame({ workspace, children }: { workspace?: string; children: ReactNode }) {
  return (
    <div className={classes.page}>
      <main id="main" className={classes.main}>
        {children}
      </main>
      <footer className={classes.footer}>
        {workspace !== undefined && <span>Shared by {workspace}</span>}
        <a href="/" target="_blank" rel="noopener noreferrer" className={classes.brand}>
          <span>Made with</span>
          <Logo />
        </a>
      </footer>
    </div>
  )
}

function Card({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <Frame>
      <Stack className={`surface ${classes.card}`} gap="sm" align="center">
        {icon}
        <Title order={1} size="h3" ta="center">
          {title}
        </Title>
        {children}
      </Stack>
    </Frame>
  )
}

function Trouble({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && error.body.code === 'not_found')
    return (
      <Card icon={<IconLinkOff size={32} aria-hidden />} title="This link isn’t available">
        <MutedText ta="center">
          It may have expired or been turned off. Ask the person who shared it for a new one.
        </MutedText>
      </Card>
    )
  const { title, advice } = describeError(error)
  return (
    <Card icon={<IconLinkOff size={32} aria-hidden />} title={title}>
      <MutedText ta="center" role="alert">
        {advice}
      </MutedText>
      <Button variant="default" onClick={onRetry}>
        Try again
      </Button>
    </Card>
  )
}

/** What a wrong passcode is told; null for another trouble. */
const isWrong = (error: unknown): boolean => error instanceof ApiError && error.body.code === 'invalid_input'

function PasscodeForm({ link, onProof }: { link: LinkKey; onProof: (proof: string) => void }) {
  const [passcode, setPasscode] = useState('')
  const entering = useMutation({
    mutationFn: () => enterPasscode(link, passcode),
    onSuccess: ({ proof }) => {
      keepProof({ ...link, proof })
      onProof(proof)
    },
  })
  const { error } = entering
  if (error instanceof ApiError && error.body.code === 'not_found')
    return <Trouble error={error} onRetry={entering.reset} />
  return (
    <Card icon={<IconLock size={32} aria-hidden />} title="This report has a passcode">
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          entering.mutate()
        }}
      >
        <Stack gap="sm">
          <PasswordField
            label="Passcode"
            autoComplete="off"
            autoFocus
            value={passcode}
            onChange={(event) => setPasscode(event.currentTarget.value)}
            error={error ? (isWrong(error) ? 'Wrong passcode' : describeError(error).title) : undefined}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={entering.isPending} disabled={passcode === ''}>
              Open report
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
