/* SPDX-License-Identifier: MIT */
/* Preloaded (LD_PRELOAD) before a program, so that it runs many lines without starting anew: its main() waits on standard input for lines of
 * words that tabs part, first the seconds that it may take and the file for what it says, then the arguments; each is run in a child made by
 * fork(), with nothing as standard input and output. The answer is a line: exit status or minus the signal, microseconds of processor time,
 * KiB of memory. scripts/robustness uses it: with the sanitizers starting takes ten times as long as the work. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int Main(int, char**, char**);
typedef int Start(Main*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);

static Main* program;

static void open_as(int wanted, const char* path, int flags) {
  const int opened = open(path, flags, 0600);
  if (opened < 0 || dup2(opened, wanted) < 0) _exit(127);
  close(opened);
}

static int run(char* line, char* name, char** environment) {
  char* words[64] = {name};
  int count = 1;
  char* rest = line;
  const char* seconds = strsep(&rest, "\t");
  const char* said = strsep(&rest, "\t");
  while (rest != NULL && count < 63) words[count++] = strsep(&rest, "\t");
  if (said == NULL) _exit(127);
  open_as(0, "/dev/null", O_RDONLY);
  open_as(1, "/dev/null", O_WRONLY);
  open_as(2, said, O_WRONLY | O_CREAT | O_TRUNC);
  alarm((unsigned)atoi(seconds));
  return program(count, words, environment);
}

static int serve(int count, char** words, char** environment) {
  (void)count;
  static char* line = NULL;
  size_t room = 0;
  for (ssize_t size; (size = getline(&line, &room, stdin)) > 0;) {
    line[size - 1] = '\0';
    const pid_t child = fork();
    if (child < 0) return 127;
    if (child == 0) return run(line, words[0], environment); /* its exit() does what the program's would */
    int status = 0;
    struct rusage used;
    if (wait4(child, &status, 0, &used) != child) return 127;
    printf("%d %ld %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
           (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000L + used.ru_utime.tv_usec + used.ru_stime.tv_usec, used.ru_maxrss);
    fflush(stdout);
  }
  free(line);
  _exit(0);
}

/* What starts every program: it is given the server in main's place. */
int __libc_start_main(Main* main, int count, char** words, void (*init)(void), void (*fini)(void), void (*end)(void), void* stack) {
  program = main;
  Start* start = (Start*)dlsym(RTLD_NEXT, "__libc_start_main");
  unsetenv("LD_PRELOAD");
  return start(serve, count, words, init, fini, end, stack);
}
