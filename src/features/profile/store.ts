import type { Database } from '../../db/database'
import { NOTIFICATION_DEFAULTS, type NotificationSettings, type Profile } from '../../shared/account'
import { picturePath } from '../../shared/pictures'
import { GOALS } from '../../shared/workspaces/workspaces'
import type { OnboardingStep } from '../../shared/session'

interface ProfileRow extends Pick<Profile, 'name' | 'email' | 'locale'> {
  job: string | null
  /** JSON. */
  goals: string
  notifications: string
  avatarKey: string | null
}

/** One person's own row. */
export const profileStore = ({ d1 }: Database, userId: string) => ({
  async get(): Promise<Profile | null> {
    const row = await d1
      .prepare('SELECT name, email, job, goals, locale, notifications, avatar_key AS avatarKey FROM users WHERE id = ?')
      .bind(userId)
      .first<ProfileRow>()
    if (!row) return null
    const goals: string[] = JSON.parse(row.goals)
    const notifications: Partial<NotificationSettings> = JSON.parse(row.notifications)
    return {
      name: row.name,
      email: row.email,
      locale: row.locale,
      job: row.job ?? '',
      goals: GOALS.filter((goal) => goals.includes(goal)),
      notifications: { ...NOTIFICATION_DEFAULTS, ...notifications },
      avatar: picturePath(row.avatarKey),
    }
  },

  /** Saving the profile ends the profile step of onboarding. */
  update: (next: Omit<Profile, 'email' | 'avatar'>): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE users SET name = ?2, job = ?3, goals = ?4, locale = ?5, notifications = ?6,
           onboarding = CASE onboarding WHEN 'profile' THEN 'source' ELSE onboarding END WHERE id = ?1`,
      )
      .bind(
        ...[userId, next.name, next.job === '' ? null : next.job, JSON.stringify(next.goals), next.locale],
        JSON.stringify(next.notifications),
      ),

  /** Changes no row while the workspace step, the only one that cannot be skipped, is not done. */
  setOnboardingStep: (step: OnboardingStep): D1PreparedStatement =>
    d1.prepare("UPDATE users SET onboarding = ?2 WHERE id = ?1 AND onboarding <> 'workspace'").bind(userId, step),
})
