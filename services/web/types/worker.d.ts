// Of the standard of notifications, and missing in the compiler's library.

interface NotificationOptions {
  renotify?: boolean;
}
