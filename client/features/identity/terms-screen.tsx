import { Anchor, Container, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { Logo } from '../../ui/logo'

interface TermsSection {
  title: string
  paragraphs: string[]
}

const TERMS: TermsSection[] = [
  {
    title: 'What you get',
    paragraphs: [
      'Insikt reads the data you give it and shows figures, comparisons and charts made from it. Figures are calculated from your data by fixed rules; you can always see how and from which import. They support your decisions and do not replace your own judgement or your accountant.',
      'You can try a new workspace for 7 days without payment. After that everything stays readable; changes need a subscription.',
    ],
  },
  {
    title: 'What we ask',
    paragraphs: [
      'Import only data you have the right to use. Keep your password to yourself. Don’t access other people’s workspaces or disturb the service.',
      'You can leave at any time. We may close an account that breaks these terms, and we’ll tell you why.',
    ],
  },
  {
    title: 'Your data stays yours',
    paragraphs: [
      'You own what you import and what is made from it. We use it only to run the service for you. It isn’t sold, shared with advertisers or used to train models.',
      'Each workspace’s rows are stored apart from every other workspace’s. Only the people you let in can read them.',
    ],
  },
  {
    title: 'What we store about you',
    paragraphs: [
      'Your name, email address, a hash of your password (never the password), your role and onboarding answers, when you signed in, from which country and with which browser, and a log of changes made in the workspace, which is kept for 400 days.',
      'One cookie keeps you signed in, one protects forms before you sign in, and one remembers the theme you chose. There are no tracking cookies.',
    ],
  },
  {
    title: 'How long',
    paragraphs: [
      'Deleted items can be restored for 30 days and are then erased. Unfinished uploads are erased after 24 hours. A sign-in ends after 14 days without use, at most after 30 days.',
    ],
  },
  {
    title: 'Your rights',
    paragraphs: [
      'You can get a copy of what we store about you, have it corrected or erased, and object to how we use it. If you aren’t satisfied, contact your country’s data protection authority.',
    ],
  },
]

export function TermsScreen() {
  useDocumentTitle('Terms and privacy · Insikt')
  return (
    <Container size={680} py={40}>
      <Anchor href="/" c="inherit" underline="never">
        <Logo />
      </Anchor>
      <Title order={1} fz={28} mt={32} mb="xs">
        Terms and privacy
      </Title>
      <Text c="dimmed" mb="xl">
        Applies to everyone with an account.
      </Text>
      <Stack gap="xl">
        {TERMS.map(({ title, paragraphs }) => (
          <section key={title}>
            <Title order={2} mb={6}>
              {title}
            </Title>
            {paragraphs.map((paragraph) => (
              <Text key={paragraph} mb="xs" lh={1.6}>
                {paragraph}
              </Text>
            ))}
          </section>
        ))}
      </Stack>
    </Container>
  )
}
